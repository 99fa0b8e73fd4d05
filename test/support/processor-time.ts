export function processorTime(work: () => Promise<unknown>): Promise<number>;
export function processorTime(work: () => void): number;
export function processorTime(work: () => unknown): number | Promise<number> {
  const from = process.cpuUsage();
  const taken = (): number => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  };
  const working = work();
  return working instanceof Promise ? working.then(taken) : taken();
}
