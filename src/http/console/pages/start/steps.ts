import { write, writePatiently } from "../../../../../db/open.ts";
import { setBackupPassphrase } from "../../../../domain/machine/backup/passphrase.ts";
import { DomainError, type Faults, rejectFaults } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { addNas } from "../../../../domain/goods/nas/nas.ts";
import { createPackage, updatePackage } from "../../../../domain/goods/packages/packages.ts";
import { takePayment } from "../../../../domain/desk/payments/take.ts";
import { createPlace, updatePlace } from "../../../../domain/people/places/places.ts";
import { changeSetting, trySetting } from "../../../../domain/machine/settings/change.ts";
import { setupFacts } from "../../../../domain/machine/setup/facts.ts";
import type { SetupStep } from "../../../../domain/machine/setup/setup.ts";
import { changeOwnPassword } from "../../../../domain/people/staff/own-password.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { findMobileFault, requiredAtPages } from "../../../../domain/goods/subscribers/fields.ts";
import { createSubscriber } from "../../../../domain/goods/subscribers/create.ts";
import { RADIUS_PPPOE } from "../../../../domain/goods/subscribers/connection-types.ts";
import { newSecret } from "../../made-password.ts";
import { countFailure } from "../../../account-failures.ts";
import { readTextField } from "../../../pages/text-of.ts";
import type { StaffVisit } from "../../guard.ts";
import { spanSent } from "../../parts/duration.ts";

interface Stepped {
  readonly routerId?: number;
}

/** Does a step by the operations that pages use later. Throws what they throw. */
export async function doStep(visit: StaffVisit, step: SetupStep, input: Input): Promise<Stepped> {
  return (await steps[step](visit, input)) ?? {};
}

type Step = (visit: StaffVisit, input: Input) => Stepped | Promise<Stepped | void> | void;

const steps: Readonly<Record<SetupStep, Step>> = {
  password: async (visit, input) => {
    const { db, by, now, account, source, sessionKey: key, needs } = visit;
    const chosen = {
      current: readTextField(input, "current", 1000),
      password: readTextField(input, "chosen", 1000),
      key,
    };
    await countFailure(needs.accountFailures, { holder: `account ${account.id}`, address: source }, () =>
      changeOwnPassword(db, by, chosen, { now }),
    );
  },
  isp: ({ db, by, now }, input) => {
    const { isp } = setupFacts(db, by);
    write(db, (tx) => {
      if (isp) updatePlace(tx, by, "isp", { id: isp.id, input: { name: input["name"] } }, { now });
      else createPlace(tx, by, "isp", { name: input["name"] }, { now });
      const value = readTextField(input, "currency", 40).toUpperCase();
      changeSetting(tx, by, { key: "currency", value }, { now });
      const zone = readTextField(input, "time_zone", 64);
      if (zone !== setting(tx, "time_zone"))
        changeSetting(tx, by, { key: "time_zone", value: zone }, { now });
    });
  },
  package: ({ db, by, now, view }, input) => {
    const { isp, package: first } = setupFacts(db, by);
    const faults: Faults = {};
    const lasts = spanSent(view, readTextField(input, "duration", 40), "day", faults);
    rejectFaults(faults);
    const values = {
      name: input["name"],
      price: readTextField(input, "price", 20),
      rate_limit: toRate(readTextField(input, "up", 9), readTextField(input, "down", 9)),
      billing_type: "prepaid",
      ...lasts,
    };
    if (first) updatePackage(db, by, { id: first.id, input: values }, { now });
    else createPackage(db, by, { ...values, isp_id: requireIsp(isp) }, { now });
  },
  router: ({ db, by, now }, values) => {
    const { isp } = setupFacts(db, by);
    const { name, address } = values;
    const input = { isp_id: requireIsp(isp), name, address, secret: newSecret() };
    return { routerId: addNas(db, by, input, { now }).id };
  },
  subscriber: ({ db, by, now }, input) => {
    const { isp, package: sold, router } = setupFacts(db, by);
    if (!isp || !sold || !router) throw new DomainError("refused", phrase`a package and a router come first`);
    const { name, username, password, mobile_number, nic_number } = input;
    const faults: Faults = {};
    findMobileFault(input, faults);
    rejectFaults(faults);
    write(db, (tx) => {
      const places = { isp_id: isp.id, package_id: sold.id, nas_id: router.id, salesperson_id: by.staffId };
      const person = { name, username, password, mobile_number, nic_number, sms_status: 1 };
      const line = { ...places, ...person, connection_type_id: RADIUS_PPPOE };
      const subscriberId = createSubscriber(tx, by, line, { now, required: requiredAtPages });
      if (input["paid"] !== "1") return;
      const cash = { amount: sold.price, method: "cash", activates: true };
      const { activation } = takePayment(tx, by, { ...cash, subscriberId }, { now });
      if (activation instanceof DomainError) throw activation;
    });
  },
  backup_place: async ({ db, by, now }, input) => {
    const value = readTextField(input, "folder", 1000);
    await trySetting(db, by, { key: "backup_folder", value });
    await writePatiently(db, (tx) => changeSetting(tx, by, { key: "backup_folder", value }, { now }));
  },
  backup_passphrase: async ({ db, by, now }, input) => {
    const passphrase = readTextField(input, "passphrase", 1000);
    await setBackupPassphrase(db, by, { passphrase, again: readTextField(input, "again", 1000) }, { now });
  },
};

/** The rate as the router sees it: from the line first. */
function toRate(up: string, down: string): string | undefined {
  return up === "" || down === "" ? undefined : `${megabits(up)}/${megabits(down)}`;
}

/** `10M`, or `2500k` of 2.5 and 2,5; anything else is left to the rate's parser. */
function megabits(typed: string): string {
  const text = typed.replace(",", ".");
  return /^\d{1,6}\.\d{1,3}$/.test(text) ? `${Math.round(Number(text) * 1000)}k` : `${text}M`;
}

function requireIsp(isp: { id: number } | null): number {
  if (!isp) throw new DomainError("refused", phrase`the name of your ISP comes first: step 2`);
  return isp.id;
}
