import fc from 'fast-check';

/** Every property is tested with the same examples, so that a failure is the fault of a change. `PROPERTY_SEED=$RANDOM` asks for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });
