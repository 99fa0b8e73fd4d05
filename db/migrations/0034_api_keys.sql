CREATE TABLE `api_key_calls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key_id` integer NOT NULL,
	`at` integer NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`status` integer NOT NULL,
	`milliseconds` integer NOT NULL,
	`address` text NOT NULL,
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`staff_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `api_key_calls_key` ON `api_key_calls` (`key_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_key_calls_at` ON `api_key_calls` (`at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`staff_id` integer PRIMARY KEY NOT NULL,
	`secret_hash` blob NOT NULL,
	`is_proven` integer DEFAULT 0 NOT NULL,
	`former_hash` blob,
	`former_until` integer,
	`flags` text,
	`addresses` text,
	`ends_at` integer,
	`created_by` integer,
	`revoked_at` integer,
	`used_at` integer,
	`used_from` text,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_flags" CHECK("api_keys"."is_proven" IN (0, 1))
) STRICT;
--> statement-breakpoint
ALTER TABLE `staff` ADD `is_key` integer DEFAULT 0 NOT NULL;

INSERT OR IGNORE INTO `permission_flags` (`name`) VALUES ('api_key_manage');
