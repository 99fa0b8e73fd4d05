export const trail = {};
