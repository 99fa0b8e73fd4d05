CREATE TABLE `router_config_tries` (
	`nas_id` integer PRIMARY KEY NOT NULL,
	`tried_at` integer NOT NULL,
	`failure` text,
	`note` text,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `router_configs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`nas_id` integer NOT NULL,
	`kept_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`source` text NOT NULL,
	`version` text NOT NULL,
	`bytes` integer NOT NULL,
	`is_partial` integer DEFAULT 0 NOT NULL,
	`text_sealed` blob NOT NULL,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "router_configs_flags" CHECK("router_configs"."is_partial" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX `router_configs_nas` ON `router_configs` (`nas_id`);
