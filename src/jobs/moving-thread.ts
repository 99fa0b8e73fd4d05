/** The thread that reads and brings in what comes from other systems. */
export function movingThread(): Worker {
  return new Worker(new URL("moving-worker.ts", here));
}

// in the executable this module is part of main's file, one folder above
const here = new URL(Bun.isStandaloneExecutable ? "./jobs/" : "./", import.meta.url);
