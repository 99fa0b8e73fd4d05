DROP INDEX `sessions_open_started`;
