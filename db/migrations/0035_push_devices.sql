CREATE TABLE `push_devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subscriber_id` integer,
	`staff_id` integer,
	`endpoint` text NOT NULL,
	`keys_sealed` blob NOT NULL,
	`site` text NOT NULL,
	`user_agent` text,
	`token_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "push_devices_person" CHECK(("push_devices"."subscriber_id" IS NULL) <> ("push_devices"."staff_id" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `push_devices_endpoint` ON `push_devices` (`endpoint`);--> statement-breakpoint
CREATE INDEX `push_devices_subscriber` ON `push_devices` (`subscriber_id`,`id`);--> statement-breakpoint
CREATE INDEX `push_devices_staff` ON `push_devices` (`staff_id`,`id`);
