CREATE TABLE `moved_rows` (
	`isp_id` integer NOT NULL,
	`source` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`row_id` integer NOT NULL,
	`move_id` integer,
	`brought` text NOT NULL,
	PRIMARY KEY(`isp_id`, `source`, `kind`, `key`),
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`move_id`) REFERENCES `moves`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `moved_rows_move` ON `moved_rows` (`move_id`);--> statement-breakpoint
CREATE INDEX `moved_rows_row` ON `moved_rows` (`kind`,`row_id`);--> statement-breakpoint
CREATE TABLE `moves` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`source` text NOT NULL,
	`files` text NOT NULL,
	`staff_id` integer,
	`actor` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer NOT NULL,
	`undone_at` integer,
	`report` text NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `moves_isp` ON `moves` (`isp_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `moved_in` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `any_connection` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ALTER COLUMN `nic_number` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ALTER COLUMN `mobile_number` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `ledger_entries` DROP CONSTRAINT "ledger_entries_kind";--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD CONSTRAINT "ledger_entries_kind" CHECK(`kind` IN ('opening', 'credit', 'payment', 'transfer', 'activation', 'unused', 'commission', 'void', 'reversal', 'refund', 'adjustment', 'history'));--> statement-breakpoint
INSERT OR IGNORE INTO `permission_flags` (`name`) VALUES ('data_import');
