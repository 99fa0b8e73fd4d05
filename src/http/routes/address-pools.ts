import { Type } from "@sinclair/typebox";
import { poolFields } from "../../domain/goods/address-pools/fields.ts";
import {
  createPool,
  deletePool,
  listPools,
  poolAddresses,
  poolById,
  poolSorts,
  updatePool,
} from "../../domain/goods/address-pools/pools.ts";
import { id } from "../../domain/core/fields/fields.ts";
import {
  addressPoolSchema,
  exampleAddressPool,
  examplePoolAddress,
  poolAddressSchema,
  addressPoolToJson,
  poolAddressToJson,
} from "../../wire/address-pool.ts";
import { done } from "../describe.ts";
import { managementForm, noForm } from "../form.ts";
import { listed } from "../list.ts";
import { managed, anybodyMayRepeat } from "../operation.ts";

const PREFIX = "/api/v1/address_pool";
const tags: [string] = ["Address pools"];
const ids = { id: "address pool" };
const unknown = { 404: "There is no such pool." };
const narrowedBy = ["isp_id"] as const;

const list = listed({
  path: `${PREFIX}/list`,
  operation: "listPools",
  operationId: "listAddressPools",
  tags,
  summary: "List address pools with their use",
  filters: { name: poolFields.name },
  sorts: poolSorts,
  record: addressPoolSchema,
  example: exampleAddressPool,
  page: ({ db, by, values: { name } }, paging) => {
    const { records, total } = listPools(db, by, { name, ...paging });
    return { records: records.map(addressPoolToJson), total };
  },
});

const get = managed({
  method: "GET",
  path: `${PREFIX}/get/:id`,
  operation: "poolById",
  operationId: "getAddressPool",
  tags,
  summary: "Get an address pool with its use",
  form: noForm,
  ids,
  success: { description: "The pool.", schema: addressPoolSchema, example: exampleAddressPool },
  refusals: unknown,
  run: ({ db, by, ids: { id } }) => addressPoolToJson(poolById(db, by, id)),
});

const addresses = listed({
  path: `${PREFIX}/addresses/:id`,
  operation: "poolAddresses",
  operationId: "listPoolAddresses",
  tags,
  summary: "List who has which address of a pool",
  ids,
  filters: {},
  sorts: ["id"],
  record: poolAddressSchema,
  example: examplePoolAddress,
  refusals: unknown,
  page: ({ db, by, ids: { id } }, { limit, offset }) => {
    const { records, total } = poolAddresses(db, by, id, { limit, offset });
    return { records: records.map(poolAddressToJson), total };
  },
});

const create = managed({
  method: "POST",
  path: `${PREFIX}/create`,
  operation: "createPool",
  operationId: "createAddressPool",
  tags,
  summary: "Add an address pool",
  description:
    "Packages name it as `address_pool` or, one of IPv6 prefixes, as `delegated_ipv6_from`; each holder then has one address of it for good. Pools of an ISP do not meet. The operator of the box sends isp_id where there are several ISPs.",
  form: {
    ...managementForm(poolFields, ["name", "range"], { name: "homes", range: "10.20.0.2-10.20.3.254" }),
    narrowedBy: [],
  },
  clears: true,
  success: {
    description: "Created.",
    schema: Type.Object({ success: Type.String(), id: Type.Integer(), size: Type.Integer() }),
    example: { success: "Address pool created.", id: 3, size: 1021 },
  },
  once: anybodyMayRepeat,
  run: ({ db, by, input, now }) => {
    const { pool, size } = createPool(db, by, input, { now });
    return { success: "Address pool created.", id: pool.id, size };
  },
});

const change = managed({
  method: "POST",
  path: `${PREFIX}/update`,
  operation: "updatePool",
  operationId: "updateAddressPool",
  tags,
  summary: "Change the name or the range of an address pool; what is not sent stays",
  description: "A range may grow, and shrink where nobody has an address. Packages follow a new name.",
  form: {
    ...managementForm({ id, ...poolFields }, ["id"], { id: 3, range: "10.20.0.2-10.20.7.254" }),
    narrowedBy,
  },
  clears: true,
  success: done("Address pool changed."),
  refusals: { ...unknown, 400: "Somebody has an address that the new range has not." },
  run: ({ db, by, values: value, input, now }) => {
    updatePool(db, by, { id: value.id, input }, { now });
    return { success: "Address pool changed." };
  },
});

const remove = managed({
  method: "DELETE",
  path: `${PREFIX}/delete/:id`,
  operation: "deletePool",
  operationId: "deleteAddressPool",
  tags,
  summary: "Delete an address pool that nobody has an address of",
  form: { ...noForm, narrowedBy },
  ids,
  success: done("Address pool deleted."),
  refusals: { ...unknown, 400: "A package names it, or subscribers have addresses of it." },
  run: ({ db, by, ids: { id }, now }) => {
    deletePool(db, by, { id }, { now });
    return { success: "Address pool deleted." };
  },
});

export const addressPoolOperations = [list, get, addresses, create, change, remove] as const;
