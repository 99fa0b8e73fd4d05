CREATE TABLE `box_capacities` (
	`isp_id` integer NOT NULL,
	`box_number` text NOT NULL,
	`down` integer NOT NULL,
	`up` integer NOT NULL,
	PRIMARY KEY(`isp_id`, `box_number`),
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `feed_routers` (
	`feed_id` integer NOT NULL,
	`nas_id` integer NOT NULL,
	PRIMARY KEY(`feed_id`, `nas_id`),
	FOREIGN KEY (`feed_id`) REFERENCES `feeds`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `feed_routers_nas` ON `feed_routers` (`nas_id`);--> statement-breakpoint
CREATE TABLE `feeds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`port` integer DEFAULT 1813 NOT NULL,
	`secret_sealed` blob NOT NULL,
	`all_routers` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`answered_at` integer,
	`silent_since` integer,
	`behind_since` integer,
	`waiting` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "feeds_flags" CHECK("feeds"."all_routers" IN (0, 1)),
	CONSTRAINT "feeds_port" CHECK("feeds"."port" BETWEEN 1 AND 65535)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `feeds_name` ON `feeds` (`isp_id`,`name`);
