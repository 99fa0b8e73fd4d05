/** SQL: the routers of sessions, NULL among them: of routers that were removed, and of none. */
export const ROUTERS = "(SELECT id AS router FROM nas UNION ALL SELECT NULL)";

/** SQL: sessions `o` of one router after another, for a range of `o.started_at`. No index has all by start. */
export const BY_ROUTER = `${ROUTERS} CROSS JOIN sessions o INDEXED BY sessions_nas ON o.nas_id IS router`;
