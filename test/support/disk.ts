import { tmpdir } from "node:os";

/**
 * Where tests that prove something of a disk keep their folders (torture, db, e2e). scripts/test puts all others into memory,
 * where nobody waits for a sync of another.
 */
export const diskFolder = (): string => process.env["GATEHOUSE_TEST_DISK"] ?? tmpdir();
