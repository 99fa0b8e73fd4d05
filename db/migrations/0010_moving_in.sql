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
-- What another system booked moves no money: no sum counts it.
DROP TRIGGER `ledger_entries_summed`;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_summed` AFTER INSERT ON `ledger_entries` WHEN NEW.`kind` <> 'history' BEGIN
	INSERT INTO `wallets` SELECT NEW.`subscriber_id`, NEW.`balance_after` WHERE NEW.`subscriber_id` IS NOT NULL
	ON CONFLICT DO UPDATE SET `balance` = excluded.`balance`;
	INSERT INTO `ledger_days` (`day`, `isp_id`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `account`, `kind`, `method`, `reached`, `entries`, `amount`)
	SELECT NEW.`day`, coalesce(NEW.`isp_id`, 0), coalesce(NEW.`branch_id`, 0), coalesce(NEW.`area_id`, 0), coalesce(NEW.`package_id`, 0), coalesce(NEW.`seller_id`, 0), coalesce(iif(p.`id` IS NULL, NEW.`acting_staff_id`, p.`taken_by`), 0),
		iif(NEW.`subscriber_id` IS NULL, 'staff', 'subscriber'), NEW.`kind`, coalesce(p.`method`, ''), p.`id` IS NOT NULL AND p.`reseller_id` IS NULL, 1, NEW.`amount`
	FROM (SELECT 1) LEFT JOIN `payments` p ON p.`id` = NEW.`payment_id` WHERE TRUE
	ON CONFLICT DO UPDATE SET `entries` = `entries` + 1, `amount` = `amount` + excluded.`amount`;
	INSERT INTO `ledger_months` (`month`, `isp_id`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `account`, `kind`, `method`, `reached`, `entries`, `amount`)
	SELECT NEW.`day` / 100, coalesce(NEW.`isp_id`, 0), coalesce(NEW.`branch_id`, 0), coalesce(NEW.`area_id`, 0), coalesce(NEW.`package_id`, 0), coalesce(NEW.`seller_id`, 0), coalesce(iif(p.`id` IS NULL, NEW.`acting_staff_id`, p.`taken_by`), 0),
		iif(NEW.`subscriber_id` IS NULL, 'staff', 'subscriber'), NEW.`kind`, coalesce(p.`method`, ''), p.`id` IS NOT NULL AND p.`reseller_id` IS NULL, 1, NEW.`amount`
	FROM (SELECT 1) LEFT JOIN `payments` p ON p.`id` = NEW.`payment_id` WHERE TRUE
	ON CONFLICT DO UPDATE SET `entries` = `entries` + 1, `amount` = `amount` + excluded.`amount`;
END;
--> statement-breakpoint
INSERT OR IGNORE INTO `permission_flags` (`name`) VALUES ('data_import');
