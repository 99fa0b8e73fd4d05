DROP INDEX `sessions_started`;
