const WRONG_USAGE = 2;

/** What `parse` makes of the arguments. Where util.parseArgs refuses them: says why, prints the usage and ends with 2. */
export function parseArguments<T>(help: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const isRefused = error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE");
    if (!isRefused) throw error;
    return wrongUsage(error.message, help);
  }
}

export function wrongUsage(why: string, help: string): never {
  process.stderr.write(`${why}\n\n${help}`);
  process.exit(WRONG_USAGE);
}

/** A whole number from 0 on; undefined when the option is not given. */
export function numberOption(name: string, value: string | undefined, help: string): number | undefined {
  if (value === undefined || /^\d{1,10}$/.test(value)) return value === undefined ? undefined : Number(value);
  return wrongUsage(`--${name} is a whole number, not '${value}'`, help);
}
