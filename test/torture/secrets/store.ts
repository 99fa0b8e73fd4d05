import { join } from "node:path";
import { aPackage, aSubscriber } from "../../support/isp.ts";
import { Needles } from "./needles.ts";

/** Values that are nowhere else in the world; each says what it is. */
export const planted = {
  "staff password": "Zq7StaffKestrel93x",
  "new staff password": "Zq7NewStaffMerlin41x",
  "added staff password": "Zq7AddedStaffHobby12",
  "subscriber password": "Zq7LineOsprey5517x",
  "created subscriber password": "Zq7CreatedHarrier62",
  "reset subscriber password": "Zq7ResetGoshawk7x",
  "portal password": "Zq7PortalBuzzard8810x",
  "NAS secret": "Zq7NasSparrowhawk0419",
  "added NAS secret": "Zq7AddedNasFalcon7735",
  "RouterOS password": "Zq7RouterosEagle2290x",
  "backup passphrase": "Zq7PassphraseCondor6673",
  "scheduled passphrase": "Zq7ScheduledVulture1842",
  "guessed password": "Zq7GuessedCaracara3306",
  "channel token": "Zq7ChannelGyrfalcon5120x",
  "mail password": "Zq7MailSecretarybird84x",
  "provider secret": "Zq7ProviderLammergeier36",
  "what a provider sent": "Zq7SentByProviderHoopoe9",
  "told password": "Zq7ToldByKite71x",
  "token in a URL": "Zq7UrlTokenLanner4452x",
} as const;
export type PlantedName = keyof typeof planted;

export const STAFF = "ada";
export const SUBSCRIBER = "user1";

export function plantedNeedles(): Needles {
  const needles = new Needles();
  for (const [name, value] of Object.entries(planted)) needles.add(name, value);
  return needles;
}

export async function writeDataSet(folder: string): Promise<string> {
  const file = join(folder, "isp.json");
  const account = { isp_id: 1, branch_id: 0, profile_type: 1, status: 1 };
  const routeros = {
    host: "127.0.0.1",
    port: 1,
    username: "api",
    password: planted["RouterOS password"],
    tls: false,
  };
  await Bun.write(
    file,
    JSON.stringify({
      settings: { max_coa_wait: 1 },
      isps: [{ id: 1, name: "Northlink" }],
      staff: [{ ...account, id: 1, name: "Ada", username: STAFF, password: planted["staff password"] }],
      nas: [
        {
          id: 1,
          isp_id: 1,
          name: "core",
          address: "127.0.0.1",
          secret: planted["NAS secret"],
          coa_port: 9,
          routeros,
        },
      ],
      packages: [aPackage(1)],
      subscribers: [aSubscriber(1, { password: planted["subscriber password"] })],
    }),
  );
  return file;
}
