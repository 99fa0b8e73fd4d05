CREATE TABLE `record_changes` (
	`noun` integer NOT NULL,
	`id` integer NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`noun`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `record_changes_number` ON `record_changes` (`noun`,`number`,`id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `change` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_changed` ON `sessions` (`change`) WHERE stopped_at IS NOT NULL;--> statement-breakpoint
INSERT INTO `record_changes` SELECT 1, `id`, 0 FROM `subscribers`;--> statement-breakpoint
INSERT INTO `record_changes` SELECT 2, `id`, 0 FROM `payments`;--> statement-breakpoint
INSERT INTO `record_changes` SELECT 3, `id`, 0 FROM `invoices`;--> statement-breakpoint
-- which books cursors are of
INSERT INTO `generations` VALUES ('books', abs(random() % 1000000000));
