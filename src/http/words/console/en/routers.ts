export const routers = {};
