import { parentPort, workerData } from 'node:worker_threads';
import { OpenJournals } from './found-readings.ts';

// The thread of `OpenJournals.prove`. Each message is the file of a journal that holds, and the head of its chain.
const journals = new OpenJournals();
for (const file of workerData as readonly string[]) {
  const { head } = journals.provenAt(file).head();
  journals.close();
  parentPort!.postMessage([file, head]);
}
