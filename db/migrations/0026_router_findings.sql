CREATE TABLE `router_findings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`nas_id` integer NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`level` text NOT NULL,
	`detail` text NOT NULL,
	`state` text NOT NULL,
	`commands` text NOT NULL,
	`is_mendable` integer NOT NULL,
	`found_at` integer NOT NULL,
	`counted_at` integer,
	`missed` integer DEFAULT 0 NOT NULL,
	`hidden_at` integer,
	`hidden_by` text,
	`hidden_reason` text,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "router_findings_flags" CHECK("router_findings"."is_mendable" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `router_findings_key` ON `router_findings` (`nas_id`,`kind`,`key`);--> statement-breakpoint
CREATE TABLE `router_readings` (
	`nas_id` integer PRIMARY KEY NOT NULL,
	`tried_at` integer NOT NULL,
	`read_at` integer,
	`failure` text,
	`version` text,
	`unread` text DEFAULT '[]' NOT NULL,
	`facts` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
ALTER TABLE `nas` ADD `asks_at` text;
