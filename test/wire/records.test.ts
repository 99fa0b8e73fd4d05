import { readdirSync } from "node:fs";
import { expect, test } from "bun:test";
import { getTableColumns, type Table } from "drizzle-orm";
import * as schema from "../../db/schema.ts";

const wire = `${import.meta.dir}/../../src/wire`;

/** A noun: the table of its rows, and why which columns of it are not in its record, by their keys. */
interface Noun {
  readonly table: Table;
  readonly hidden: Readonly<Record<string, string>>;
  /** What its record is made of, where that is more than a row. */
  readonly around?: (row: unknown) => unknown;
  /** What a row holds that is no plain value. */
  readonly holds?: object;
}

const secrets = "keys and sealed secrets are nobody's to read";
const sums = "sums and scopes are kept by it";
const scope = "a call names it, or is within it";

/** The nouns whose records are of a table, by the functions that shape them. */
const nouns: Readonly<Record<string, Noun>> = {
  packageToJson: { table: schema.packages, hidden: {} },
  sessionToJson: {
    table: schema.sessions,
    around: (session) => ({ session }),
    hidden: {
      "how its router names it, for CoA":
        "nasId localAddress class nasPort nasPortId nasPortType nasIdentifier calledStationId viaBox",
      "what was granted, for control and the next login": "acceptedAs grantedTerms grantedRate rateRefused",
      "its place in the order of changes": "change",
      "what is counted with": "counterInput counterOutput rateInput rateOutput",
      "the card stands in place of the username": "cardId",
      "the cause says it": "closedBy movedIn",
    },
  },
  entryToJson: {
    table: schema.ledgerEntries,
    hidden: {
      [sums]: "ispId branchId areaId packageId sellerId day",
      "the card's page says it": "batchId cardId",
    },
  },
  invoiceToJson: {
    table: schema.invoices,
    hidden: {
      [sums]: "areaId followedAt",
      "what it takes to void it": "commissionAtSale serviceBefore",
      "the trail says who did": "voidedBy voidedActor",
    },
  },
  paymentToJson: {
    table: schema.payments,
    hidden: {
      "what is compared of the reference": "referenceKey",
      "the trail says who did, and the close in which": "reversedActor reversalClosingId",
      "its number stands in place of the username": "cardId",
    },
  },
  closingToJson: { table: schema.closings, hidden: {} },
  auditEntryToJson: { table: schema.auditEntries, hidden: {} },
  batchToJson: {
    table: schema.cardBatches,
    holds: { counts: {} },
    hidden: {
      "terms of its package as they were":
        "rateLimit quotaExceeded framedPool framedIpv6Pool delegatedIpv6Pool addressList expiredPool expiredAddressList idleTimeout replyAttributes",
    },
  },
  cardToJson: {
    table: schema.cards,
    hidden: {
      [secrets]: "codeKey codeSealed",
      "the receipt is shown by its number": "salePaymentId",
      "the trail says who did": "voidedBy",
    },
  },
  webhookToJson: {
    table: schema.webhookEndpoints,
    hidden: { [secrets]: "secretSealed formerSealed", "the trail says who did": "createdBy" },
  },
  deliveryToJson: { table: schema.webhookDeliveries, hidden: { "the event is shown by its uid": "eventId" } },
  templateToJson: { table: schema.messageTemplates, hidden: {} },
  ruleToJson: { table: schema.messageRules, hidden: { "how far it is planned": "plannedTo" } },
  messageToJson: {
    table: schema.messages,
    hidden: {
      "what makes it the only one": "eventId period",
      "the words, shown one by one": "bodySealed wordsSealed",
    },
  },
  channelToJson: {
    table: schema.channels,
    holds: { settings: {}, secrets: [], missing: [] },
    hidden: { [secrets]: "secretsSealed" },
  },
  outageToJson: { table: schema.outages, holds: { evidence: {} }, hidden: { [scope]: "ispId" } },
  addressPoolToJson: {
    table: schema.addressPools,
    around: (pool) => ({ pool, packages: [] }),
    hidden: { "where the next address is looked for": "next" },
  },
  sourceToJson: { table: schema.paymentSources, hidden: { [secrets]: "keyHash keySealed secretSealed" } },
  incomingToJson: {
    table: schema.incomingPayments,
    hidden: {
      "what a call that comes again is known by, and answered": "variant bodyHash answer",
      "what was sent has a call of its own": "rawSealed rawUntil",
    },
  },
  bulkJobToJson: {
    table: schema.bulkJobs,
    hidden: { [scope]: "ispId", "who began it is shown by name": "staffId source" },
  },
  radsecCertificateToJson: {
    table: schema.radsecCertificates,
    hidden: { [scope]: "nasId", [secrets]: "bundleSealed" },
  },
  feedToJson: {
    table: schema.feeds,
    hidden: { [secrets]: "secretSealed" },
  },
  configCopyToJson: { table: schema.routerConfigs, hidden: { [scope]: "nasId", [secrets]: "textSealed" } },
  roleToJson: {
    table: schema.roles,
    hidden: {
      [scope]: "ispId",
      "permissions have a call of their own": "permissionsSet",
      "the trail says when": "createdAt",
    },
  },
  staffToJson: {
    table: schema.staff,
    hidden: {
      [secrets]: "passwordHash totpSecret totpStep",
      "what is compared of the names": "usernameKey emailKey",
      "the trail says when": "createdAt updatedAt",
      "keys have records of their own": "isKey",
    },
  },
  apiKeyToJson: {
    table: schema.apiKeys,
    holds: { flags: "a", addresses: "b" },
    hidden: { [secrets]: "secretHash isProven formerHash", "it is its id": "staffId" },
  },
  keyCallToJson: { table: schema.apiKeyCalls, hidden: { "the list is of one key": "keyId" } },
  nasToJson: {
    table: schema.nas,
    hidden: {
      [secrets]: "secretSealed routerosPasswordSealed",
      "sources of a router have a part of their own": "authenticatorSeen",
      "what its garden was told last": "gardenTold gardenProfiles asksAt fastTrackLeft setupChoices",
      "the trail says when": "createdAt",
    },
  },
};

/** Functions that shape a part of such a noun, or what an operation found, did or would do. */
const others =
  "activationToJson addresseeToJson arrivedToJson assignedToJson bankLineToJson boxMemberToJson bulkRowToJson cardRecordToJson changeToJson choicesToJson configChangesToJson devicesToJson dueRenewalToJson eventToJson extensionToJson findingToJson freezeToJson hitToJson identityToJson invoiceItemToJson issuerToJson lineToJson loginToJson mendToJson messageItemToJson moveToJson nasSourcesToJson notesToJson offerToJson outcomeToJson ownStaffToJson paymentItemToJson placeToJson poolAddressToJson presetToJson previewToJson printedCardToJson quotaToJson quoteToJson readingToJson redeemedToJson renewalQuoteToJson seenNasToJson sessionItemToJson settingToJson setupToJson statementToJson subscriberToJson thawToJson tierToJson tillToJson topUpQuoteToJson topUpToJson tracedToJson usageDayToJson usageToJson voidToJson wholeMessageToJson wholeMoveToJson whyToJson writtenToJson".split(
    " ",
  );

const files = readdirSync(wire);
const shapers = new Map(
  (await Promise.all(files.map((file) => import(`${wire}/${file}`))))
    .flatMap((made) => Object.entries<(row: unknown) => unknown>(made))
    .filter(([name]) => name.endsWith("ToJson")),
);

test("each function of wire that shapes a record is of a noun, or of none", () => {
  expect([...shapers.keys()].sort()).toEqual([...Object.keys(nouns), ...others].sort());
});

test.each(Object.entries(nouns))(
  "%s has each column of its table, or it is named as hidden",
  (name, noun) => {
    const read = new Set<string>();
    for (const value of [1, null]) {
      const row = new Proxy(
        {},
        { get: (_, key) => (read.add(String(key)), Reflect.get(noun.holds ?? {}, key) ?? value) },
      );
      shapers.get(name)?.(noun.around ? noun.around(row) : row);
    }
    const hidden = Object.values(noun.hidden).flatMap((keys) => keys.split(" "));
    const columns = Object.keys(getTableColumns(noun.table));
    expect(columns.filter((key) => !read.has(key)).sort()).toEqual(hidden.sort());
  },
);
