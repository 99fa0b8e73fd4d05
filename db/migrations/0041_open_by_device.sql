DROP INDEX `sessions_open_port`;--> statement-breakpoint
CREATE INDEX `sessions_open_port` ON `sessions` (`mac`,`nas_address`,`nas_port_id`,`nas_port`) WHERE stopped_at IS NULL;--> statement-breakpoint
-- the first of them, because SQLite goes through them at each Start
INSERT INTO `sqlite_sequence` (`name`, `seq`) SELECT 'sessions', 0 WHERE NOT EXISTS (SELECT 1 FROM `sqlite_sequence` WHERE `name` = 'sessions');--> statement-breakpoint
UPDATE `sqlite_sequence` SET `rowid` = (SELECT min(`rowid`) FROM `sqlite_sequence`) - 1 WHERE `name` = 'sessions';
