CREATE TABLE `access_told` (
	`key` text NOT NULL,
	`place` text NOT NULL,
	PRIMARY KEY(`key`, `place`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `access_boxes` ADD `refused` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `access_boxes` ADD `refused_at` integer;--> statement-breakpoint
ALTER TABLE `access_boxes` ADD `refused_what` text;--> statement-breakpoint
ALTER TABLE `access_boxes` ADD `own_keys_at` integer;
