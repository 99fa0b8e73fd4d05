import { listSubscriberLogins, type LoginFilter, loginLog } from "../../domain/service/access/log.ts";
import { outcomes } from "../../domain/service/access/outcomes.ts";
import { flag, from, id, mac, oneOf, text, to } from "../../domain/core/fields/fields.ts";
import { seeingArchived } from "../../domain/core/actor/actor.ts";
import { exampleLogin, loginSchema, loginToJson } from "../../wire/login.ts";
import { logged } from "../list.ts";

const tags: [string] = ["Sessions and logins"];
const shared = { reason: oneOf(...Object.keys(outcomes)), accepted: flag, from, to };

const list = logged({
  path: "/api/v1/login/list",
  operation: "loginLog",
  operationId: "listLogins",
  tags,
  summary: "List how logins were decided, the newest first, with the reason in words",
  description:
    "Decisions are kept as the settings auth_log_days and auth_log_rows say. Names that are no subscriber's are seen by accounts of the whole ISP whose router asked about them.",
  filters: { username: text(253), user_id: id, nas_id: id, mac_address: mac, ...shared },
  record: loginSchema,
  example: exampleLogin,
  page: ({ db, by, values: { user_id, nas_id, mac_address, ...value } }, page) => {
    const filter: LoginFilter = { ...value, subscriberId: user_id, nasId: nas_id, mac: mac_address };
    return loginLog(db, by, filter, page).map(loginToJson);
  },
});

const ofSubscriber = logged({
  path: "/api/v1/subscriber/logins/:id",
  operation: "listSubscriberLogins",
  operationId: "listSubscriberLogins",
  tags,
  summary: "List how the logins of a subscriber were decided, the newest first",
  ids: { id: "subscriber" },
  filters: { ...shared, archived: flag },
  record: loginSchema,
  example: exampleLogin,
  refusals: { 404: "There is no such subscriber." },
  page: ({ db, by, values: { archived, ...value }, ids: { id: subscriberId } }, page) =>
    listSubscriberLogins(db, seeingArchived(by, archived), { ...value, subscriber: subscriberId }, page).map(
      loginToJson,
    ),
});

export const loginOperations = [list, ofSubscriber];
