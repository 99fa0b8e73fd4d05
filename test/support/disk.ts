import { tmpdir } from "node:os";

/**
 * Where the folders of tests are that prove something of a disk, and of the program as it is installed: torture, db, e2e. Others are
 * below `tmpdir()`, which scripts/test puts into memory, where no test waits for what another one has synced.
 */
export const diskFolder = (): string => process.env["GATEHOUSE_TEST_DISK"] ?? tmpdir();
