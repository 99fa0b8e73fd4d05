CREATE TABLE `proposals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key_id` integer NOT NULL,
	`call` text NOT NULL,
	`arguments` text NOT NULL,
	`entries` text NOT NULL,
	`created_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`pressed_at` integer,
	`pressed_by` integer,
	FOREIGN KEY (`key_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`pressed_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `proposals_ends` ON `proposals` (`ends_at`);--> statement-breakpoint
CREATE INDEX `proposals_key` ON `proposals` (`key_id`,`id`);
