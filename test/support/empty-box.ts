import { addStaff } from "../../src/domain/people/staff/accounts.ts";
import { temporaryApp, type TestApp } from "./http.ts";
import { cli } from "./people.ts";
import { NOW, temporaryStore } from "./store.ts";

/** The appliance after `gatehouse init`, or with one ISP and its Admin; the account is `name:password`. */
export async function emptyBox({
  isOfIsp,
}: {
  isOfIsp: boolean;
}): Promise<{ app: TestApp; account: string }> {
  const store = temporaryStore();
  if (isOfIsp) store.db.$client.run("INSERT INTO isps (id, name) VALUES (1, 'Northlink')");
  const [isp_id, username] = isOfIsp ? [1, "ann"] : [0, "operator"];
  const account = { isp_id, username, name: "First", password: "printed-1", profile_type: 1 };
  await addStaff(store.db, cli, account, { now: NOW });
  return { app: temporaryApp({}, store), account: `${username}:printed-1` };
}
