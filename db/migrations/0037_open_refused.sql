CREATE INDEX `sessions_open_refused` ON `sessions` (`nas_id`) WHERE stopped_at IS NULL AND rate_refused IS NOT NULL;
