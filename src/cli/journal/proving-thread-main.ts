import { parentPort, workerData } from 'node:worker_threads';
import { OpenJournals } from './found-readings.ts';

// `OpenJournals.prove` starts this thread. It sends the file of each journal that holds, with the head of its chain.
const journals = new OpenJournals();
for (const file of workerData as readonly string[]) {
  const { head } = journals.provenAt(file).head();
  journals.close();
  parentPort!.postMessage([file, head]);
}
