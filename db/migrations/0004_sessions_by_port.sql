CREATE TABLE `dropped_sessions` (
	`nas_id` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL,
	`last_at` integer NOT NULL,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
DROP INDEX `sessions_open_port`;--> statement-breakpoint
CREATE INDEX `sessions_open_port` ON `sessions` (`nas_address`,`nas_port_id`,`mac`,`nas_port`) WHERE stopped_at IS NULL;--> statement-breakpoint
ALTER TABLE `nas` ADD `coa_event_timestamp` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- written by hand
UPDATE `sessions` SET `terminate_cause` = 'lost' WHERE `terminate_cause` IN ('Lost', 'Lost-Stop');
