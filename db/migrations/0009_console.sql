CREATE TABLE `outage_lines` (
	`outage_id` integer NOT NULL,
	`subscriber_id` integer NOT NULL,
	`dark_at` integer NOT NULL,
	`back_at` integer,
	PRIMARY KEY(`outage_id`, `subscriber_id`),
	FOREIGN KEY (`outage_id`) REFERENCES `outages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `outage_lines_subscriber` ON `outage_lines` (`subscriber_id`,`dark_at`);--> statement-breakpoint
CREATE TABLE `outages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer,
	`kind` text NOT NULL,
	`nas_id` integer,
	`area_id` integer,
	`box_number` text,
	`began_at` integer NOT NULL,
	`found_at` integer NOT NULL,
	`ended_at` integer,
	`lines` integer NOT NULL,
	`evidence` text NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE INDEX `outages_began` ON `outages` (`began_at`);--> statement-breakpoint
CREATE INDEX `outages_open` ON `outages` (`isp_id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `setup_steps` (
	`step` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `staff_preferences` (
	`staff_id` integer NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`staff_id`, `key`),
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `staff_recovery_codes` (
	`staff_id` integer NOT NULL,
	`code_hash` blob NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`staff_id`, `code_hash`),
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `staff_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`staff_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`second_factor_at` integer,
	`source` text NOT NULL,
	`user_agent` text,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `staff_sessions_staff` ON `staff_sessions` (`staff_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `staff_sessions_expires` ON `staff_sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `auth_log_rejected_at` ON `auth_log` (`at`) WHERE accepted = 0;--> statement-breakpoint
ALTER TABLE `roles` ADD `needs_second_factor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `rate_input` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `rate_output` integer;--> statement-breakpoint
CREATE INDEX `sessions_open_board` ON `sessions` (`nas_id`,`subscriber_id`,`started_at`,`updated_at`,`rate_input`,`rate_output`,`accepted_as`,`input_octets`,`output_octets`) WHERE stopped_at IS NULL;--> statement-breakpoint
ALTER TABLE `staff` ADD `totp_secret` blob;--> statement-breakpoint
ALTER TABLE `staff` ADD `totp_step` integer;--> statement-breakpoint
DROP INDEX `services_package`;--> statement-breakpoint
CREATE INDEX `services_package` ON `services` (`package_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `invoices_void` ON `invoices` (`id`) WHERE voided_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoices_credited` ON `invoices` (`id`) WHERE credited > 0;--> statement-breakpoint
CREATE INDEX `payments_reversed` ON `payments` (`id`) WHERE reversed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_reseller` ON `payments` (`reseller_id`) WHERE reseller_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_closing` ON `payments` (`closing_id`) WHERE closing_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `auth_log_rejected` ON `auth_log` (`reason`,`at`,`subscriber_id`,`username`,`mac`) WHERE accepted = 0;
