export const backups = {};
