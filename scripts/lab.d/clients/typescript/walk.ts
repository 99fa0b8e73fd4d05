import createClient from "openapi-fetch";
import type { paths } from "./gatehouse.d.ts";

/** Where the walk goes, and who does. */
export interface Box {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** In place of the network. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A day of an office's program, by the client that openapi-typescript has made of the document; throws at the first answer that is not as it should be. */
export async function walk({ baseUrl, username, password, fetch = globalThis.fetch }: Box): Promise<string> {
  const basic = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const office = createClient<paths>({ baseUrl, headers: basic, fetch });

  const signedIn = got(await office.POST("/api/v1/users/login", { body: { email: username, password } }));
  const bearer = { authorization: `Bearer ${signedIn.data.token}` };
  const own = createClient<paths>({ baseUrl, headers: bearer, fetch });
  const profile = got(await own.GET("/api/v1/users/profile"));
  same(profile.data.user.username, username, "who is signed in");

  const { packages, nas, salespersons } = got(await office.GET("/api/v1/choice/list"));
  const isp_id = profile.data.user.isp_id;
  const ofIsp = <T extends { isp_id: number }>(all: readonly T[]): T =>
    there(all.find((one) => one.isp_id === isp_id));
  const sold = got(
    await office.GET("/api/v1/package/get/{id}", { params: { path: { id: ofIsp(packages).id } } }),
  );
  const name = `walk-${crypto.randomUUID().slice(0, 8)}`;
  const { id } = got(
    await office.POST("/api/v1/subscriber/create", {
      body: {
        isp_id,
        name: "Wanda Walker",
        username: name,
        password: "pw-wanda",
        package_id: sold.id,
        connection_type_id: 1,
        salesperson_id: ofIsp(salespersons).id,
        nas_id: ofIsp(nas).id,
        nic_number: name,
        mobile_number: name,
        email: `${name}@example.com`,
      },
    }),
  );
  const get = async () => got(await office.GET("/api/v1/subscriber/get/{id}", { params: { path: { id } } }));

  const found = got(
    await office.GET("/api/v1/subscriber/list", {
      params: { query: { username: name, profile_status: "inactive" } },
    }),
  );
  same(found.map((one) => one.id).join(), String(id), "who is listed by the filters");
  const seen = new Set<number>();
  for (let offset = 0; offset < 6; offset += 2) {
    const page = await office.GET("/api/v1/subscriber/list", { params: { query: { limit: 2, offset } } });
    for (const one of got(page)) seen.add(one.id);
    const total = Number(page.response.headers.get("x-total-count"));
    same(seen.size, Math.min(total, offset + 2), "rows of the pages so far");
  }

  const amount = sold.price + 0.1 + 0.2; // a sum of floats
  const key = { header: { "Idempotency-Key": crypto.randomUUID() } };
  const pay = () =>
    office.POST("/api/v1/payment/take", { params: key, body: { user_id: id, amount, method: "cash" } });
  const taken = got(await pay());
  const again = await pay();
  same(got(again).payment.id, taken.payment.id, "the payment of the same key");
  same(again.response.headers.get("idempotent-replayed"), "true", "what a repeated answer says");
  same((await get()).balance, Math.round(amount * 100) / 100, "the balance to the cent");

  const activate = () =>
    office.POST("/api/v1/activation/activate", { body: { user_id: id, package_id: sold.id } });
  same(got(await activate()).amount_charged, sold.price, "what was charged");
  same((await get()).balance, 0.3, "what is left to the cent");
  const refused = await activate();
  same(refused.response.status, 429, "the status of a refusal");
  same(there(refused.error).code, "too_soon", "the code of a refusal");

  same((await get()).email, `${name}@example.com`, "the address");
  got(await office.POST("/api/v1/subscriber/update", { body: { isp_id, username: name, email: null } }));
  same((await get()).email, null, "the address that was cleared");
  return `${name}: ${sold.price} of ${amount}`;
}

function got<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.status} of ${response.url}: ${JSON.stringify(error)}`);
  return data;
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("there is nothing");
  return value;
}

function same<T>(seen: T, expected: T, what: string): void {
  if (seen !== expected) throw new Error(`${what}: ${String(seen)}, not ${String(expected)}`);
}
