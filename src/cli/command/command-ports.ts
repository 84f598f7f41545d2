import type { Io } from '../outside/io.ts';
import type { Log } from '../outside/log-file.ts';
import type { OutputPort } from '../output/output.ts';

/** The outside of a running command. Functions below a command take the parts that they need. */
export type CommandPorts = Readonly<{ io: Io; log: Log; output: OutputPort; onClose: OnClose }>;

/** A step that gives something back: closes a file, a connection, a server. */
export type ClosingStep = () => void | Promise<void>;

/** Registers a closing step. The steps run after the command, however it ended, the last registered first. */
export type OnClose = (close: ClosingStep) => void;
