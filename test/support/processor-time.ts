/** Milliseconds of the processor that something synchronous takes, to which others on a busy machine do not add. */
export function processorTime(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}
