DROP INDEX `sessions_open_updated`;
