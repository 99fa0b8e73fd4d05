CREATE TABLE `auto_renewals` (
	`subscriber_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`tried_at` integer NOT NULL,
	`renewed_at` integer,
	`reason` text,
	PRIMARY KEY(`subscriber_id`, `expires_at`),
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bulk_jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer,
	`staff_id` integer,
	`actor` text NOT NULL,
	`source` text NOT NULL,
	`operation` text NOT NULL,
	`input` text NOT NULL,
	`total` integer NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `bulk_jobs_unfinished` ON `bulk_jobs` (`id`) WHERE finished_at IS NULL;--> statement-breakpoint
CREATE INDEX `bulk_jobs_isp` ON `bulk_jobs` (`isp_id`);--> statement-breakpoint
CREATE TABLE `bulk_rows` (
	`job_id` integer NOT NULL,
	`position` integer NOT NULL,
	`subscriber_id` integer NOT NULL,
	`message` text,
	PRIMARY KEY(`job_id`, `position`),
	FOREIGN KEY (`job_id`) REFERENCES `bulk_jobs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `closings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`staff_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`taken` integer NOT NULL,
	`returned` integer NOT NULL,
	`expected` integer NOT NULL,
	`counted` integer NOT NULL,
	`note` text,
	`confirmed_at` integer,
	`confirmed_by` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`confirmed_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `closings_staff` ON `closings` (`staff_id`);--> statement-breakpoint
CREATE INDEX `closings_isp` ON `closings` (`isp_id`);--> statement-breakpoint
CREATE TABLE `counters` (
	`isp_id` integer NOT NULL,
	`series` text NOT NULL,
	`year` integer NOT NULL,
	`letter` text DEFAULT '' NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`isp_id`, `series`),
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `credit_notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`number` text NOT NULL,
	`invoice_id` integer NOT NULL,
	`entry_id` integer NOT NULL,
	`amount` integer NOT NULL,
	`tax` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`entry_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_number` ON `credit_notes` (`isp_id`,`number`);--> statement-breakpoint
CREATE INDEX `credit_notes_invoice` ON `credit_notes` (`invoice_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_entry` ON `credit_notes` (`entry_id`);--> statement-breakpoint
CREATE TABLE `extensions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`branch_id` integer,
	`area_id` integer,
	`package_id` integer NOT NULL,
	`seller_id` integer,
	`subscriber_id` integer NOT NULL,
	`before` integer NOT NULL,
	`after` integer NOT NULL,
	`paid_until` integer NOT NULL,
	`trust` integer DEFAULT 0 NOT NULL,
	`reason` text NOT NULL,
	`acting_staff_id` integer,
	`actor` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`acting_staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "extensions_flags" CHECK("extensions"."trust" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX `extensions_subscriber` ON `extensions` (`subscriber_id`);--> statement-breakpoint
CREATE INDEX `extensions_isp` ON `extensions` (`isp_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `freezes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subscriber_id` integer NOT NULL,
	`frozen_at` integer NOT NULL,
	`thawed_at` integer,
	`frozen_by` integer,
	`actor` text,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`frozen_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `freezes_subscriber` ON `freezes` (`subscriber_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`staff_id` integer NOT NULL,
	`path` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` blob NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`staff_id`, `path`, `key`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `ledger_days` (
	`day` integer NOT NULL,
	`isp_id` integer NOT NULL,
	`branch_id` integer NOT NULL,
	`area_id` integer NOT NULL,
	`package_id` integer NOT NULL,
	`seller_id` integer NOT NULL,
	`staff_id` integer NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`method` text NOT NULL,
	`reached` integer DEFAULT 0 NOT NULL,
	`entries` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`isp_id`, `account`, `kind`, `day`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `method`, `reached`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_months` (
	`month` integer NOT NULL,
	`isp_id` integer NOT NULL,
	`branch_id` integer NOT NULL,
	`area_id` integer NOT NULL,
	`package_id` integer NOT NULL,
	`seller_id` integer NOT NULL,
	`staff_id` integer NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`method` text NOT NULL,
	`reached` integer DEFAULT 0 NOT NULL,
	`entries` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`isp_id`, `account`, `kind`, `month`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `method`, `reached`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `login_days` (
	`day` integer NOT NULL,
	`nas_id` integer NOT NULL,
	`isp_id` integer NOT NULL,
	`accepted` integer NOT NULL,
	`reason` text NOT NULL,
	`logins` integer NOT NULL,
	PRIMARY KEY(`day`, `nas_id`, `accepted`, `reason`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `logos` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`type` text NOT NULL,
	`content` blob NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `logos_isp` ON `logos` (`isp_id`);--> statement-breakpoint
CREATE TABLE `nas_hours` (
	`nas_id` integer NOT NULL,
	`at` integer NOT NULL,
	`isp_id` integer NOT NULL,
	`sessions` integer NOT NULL,
	`accepted` integer DEFAULT 0 NOT NULL,
	`rejected` integer DEFAULT 0 NOT NULL,
	`input_octets` integer DEFAULT 0 NOT NULL,
	`output_octets` integer DEFAULT 0 NOT NULL,
	`sessions_most` integer NOT NULL,
	PRIMARY KEY(`nas_id`, `at`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `nas_hours_at` ON `nas_hours` (`at`);--> statement-breakpoint
CREATE TABLE `nas_minutes` (
	`nas_id` integer NOT NULL,
	`at` integer NOT NULL,
	`isp_id` integer NOT NULL,
	`sessions` integer NOT NULL,
	`accepted` integer DEFAULT 0 NOT NULL,
	`rejected` integer DEFAULT 0 NOT NULL,
	`input_octets` integer DEFAULT 0 NOT NULL,
	`output_octets` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`nas_id`, `at`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `nas_minutes_at` ON `nas_minutes` (`at`);--> statement-breakpoint
CREATE TABLE `open_charges` (
	`subscriber_id` integer NOT NULL,
	`entry_id` integer NOT NULL,
	`open` integer NOT NULL,
	PRIMARY KEY(`subscriber_id`, `entry_id`),
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `payments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`branch_id` integer,
	`subscriber_id` integer,
	`staff_id` integer,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`method` text NOT NULL,
	`reference` text,
	`reference_key` text,
	`note` text,
	`number` text NOT NULL,
	`taken_by` integer,
	`actor` text,
	`reseller_id` integer,
	`created_at` integer NOT NULL,
	`invoice_id` integer,
	`reversed_at` integer,
	`reversed_by` integer,
	`reversed_actor` text,
	`reversal_reason` text,
	`closing_id` integer,
	`reversal_closing_id` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`taken_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reseller_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reversed_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`closing_id`) REFERENCES `closings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reversal_closing_id`) REFERENCES `closings`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_account" CHECK(("payments"."subscriber_id" IS NULL) <> ("payments"."staff_id" IS NULL)),
	CONSTRAINT "payments_amount" CHECK("payments"."amount" > 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_number` ON `payments` (`isp_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_reference` ON `payments` (`isp_id`,`method`,`reference_key`) WHERE reference_key IS NOT NULL AND reversed_at IS NULL;--> statement-breakpoint
CREATE INDEX `payments_subscriber` ON `payments` (`subscriber_id`);--> statement-breakpoint
CREATE INDEX `payments_staff` ON `payments` (`staff_id`) WHERE staff_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_taken` ON `payments` (`taken_by`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_isp` ON `payments` (`isp_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_till` ON `payments` (`taken_by`) WHERE closing_id IS NULL;--> statement-breakpoint
CREATE INDEX `payments_reversed_till` ON `payments` (`taken_by`) WHERE reversed_at IS NOT NULL AND reversal_closing_id IS NULL;--> statement-breakpoint
CREATE TABLE `subscriber_days` (
	`day` integer NOT NULL,
	`isp_id` integer NOT NULL,
	`branch_id` integer NOT NULL,
	`seller_id` integer NOT NULL,
	`total` integer NOT NULL,
	`active` integer NOT NULL,
	PRIMARY KEY(`isp_id`, `day`, `branch_id`, `seller_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `told_ends` (
	`session_id` integer PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `traffic_days` (
	`day` integer NOT NULL,
	`isp_id` integer NOT NULL,
	`branch_id` integer NOT NULL,
	`package_id` integer NOT NULL,
	`seller_id` integer NOT NULL,
	`subscribers` integer NOT NULL,
	`input_octets` integer NOT NULL,
	`output_octets` integer NOT NULL,
	PRIMARY KEY(`isp_id`, `day`, `branch_id`, `package_id`, `seller_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_months` (
	`month` integer NOT NULL,
	`subscriber_id` integer NOT NULL,
	`input_octets` integer NOT NULL,
	`output_octets` integer NOT NULL,
	PRIMARY KEY(`month`, `subscriber_id`),
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `wallets` (
	`subscriber_id` integer PRIMARY KEY NOT NULL,
	`balance` integer NOT NULL,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `wallets_balance` ON `wallets` (`balance`);--> statement-breakpoint
ALTER TABLE `services` ADD `frozen_at` integer;--> statement-breakpoint
ALTER TABLE `services` ADD `paid_until` integer;--> statement-breakpoint
ALTER TABLE `services` ADD `renews_from` integer;--> statement-breakpoint
CREATE INDEX `services_frozen` ON `services` (`frozen_at`) WHERE frozen_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `staff` ADD `credit_limit` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `auto_renew` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `credit_limit` integer;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `archived_at` integer;--> statement-breakpoint
CREATE INDEX `subscribers_name` ON `subscribers` (`name` COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `subscribers_city` ON `subscribers` (`city_id`);--> statement-breakpoint
CREATE INDEX `sessions_started` ON `sessions` (`started_at`);--> statement-breakpoint
CREATE INDEX `sessions_open_started` ON `sessions` (`started_at`) WHERE stopped_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_nas` ON `sessions` (`nas_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `sessions_mac` ON `sessions` (`mac`,`started_at`) WHERE mac IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_scope` ON `subscribers` (`isp_id`,`branch_id`,`salesperson_id`,`status`,`archived_at`,`auto_renew`,`package_id`);--> statement-breakpoint
CREATE INDEX `subscribers_area` ON `subscribers` (`area_id`);--> statement-breakpoint
CREATE INDEX `subscribers_subarea` ON `subscribers` (`subarea_id`);--> statement-breakpoint
CREATE INDEX `subscribers_box` ON `subscribers` (`box_number`);--> statement-breakpoint
CREATE INDEX `subscribers_created` ON `subscribers` (`created_at`);--> statement-breakpoint
CREATE INDEX `subscribers_archived` ON `subscribers` (`archived_at`) WHERE archived_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscribers_auto_renew` ON `subscribers` (`auto_renew`) WHERE auto_renew = 1;
--> statement-breakpoint
-- written by hand
INSERT OR IGNORE INTO `permission_flags` (`name`) VALUES ('place_view'), ('place_manage'), ('package_view'), ('package_manage'), ('nas_view'), ('nas_manage'), ('staff_view'), ('staff_manage'), ('subscriber_status'), ('subscriber_extend'), ('subscriber_bulk'), ('subscriber_plant'), ('session_view'), ('payment_view'), ('payment_take'), ('payment_reverse'), ('payment_refund'), ('invoice_view'), ('invoice_void'), ('wallet_view'), ('wallet_adjust'), ('closing_own'), ('closing_manage'), ('report_view'), ('setting_manage'), ('audit_view');
--> statement-breakpoint
DROP TRIGGER `services_login_updated`;
--> statement-breakpoint
CREATE TRIGGER `services_login_updated` AFTER UPDATE OF `subscriber_id`, `package_id`, `password_sealed`, `nt_hash_sealed`, `expires_at`, `activated_at`, `quota_total`, `rate_limit`, `quota_exceeded`, `framed_pool`, `framed_ipv6_pool`, `delegated_ipv6_pool`, `address_list`, `expired_pool`, `expired_address_list`, `simultaneous_use`, `idle_timeout`, `frozen_at` ON `services` BEGIN UPDATE `login_stamps` SET `stamp` = random() & 281474976710655 WHERE `username_key` = (SELECT `username_key` FROM `subscribers` WHERE `id` = NEW.`subscriber_id`); END;
--> statement-breakpoint
-- Invoices and entries as new tables, which takes a tenth of the time of adding columns one by one. Numbers follow the ids, and
-- years never go back. Places are those of now.
CREATE TABLE `__new_invoices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`subscriber_id` integer NOT NULL,
	`package_id` integer NOT NULL,
	`package_name` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	`open` integer DEFAULT 0 NOT NULL,
	`seller_id` integer,
	`commission` integer DEFAULT 0 NOT NULL,
	`commission_at_sale` integer DEFAULT 0 NOT NULL,
	`number` text,
	`branch_id` integer,
	`area_id` integer,
	`credited` integer DEFAULT 0 NOT NULL,
	`tax_name` text,
	`tax_percent` integer DEFAULT 0 NOT NULL,
	`tax` integer DEFAULT 0 NOT NULL,
	`payment_id` integer,
	`voided_at` integer,
	`void_reason` text,
	`voided_by` integer,
	`voided_actor` text,
	`service_before` text,
	`followed_at` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`seller_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`voided_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TEMP TABLE `numbered` (`id` integer PRIMARY KEY, `year` integer, `number` integer, `followed_at` integer);
--> statement-breakpoint
INSERT INTO `temp`.`numbered` SELECT `id`, `year`, row_number() OVER (PARTITION BY `isp_id`, `year` ORDER BY `id`), `followed_at`
FROM (SELECT `id`, `isp_id`, max(CAST(strftime('%Y', `created_at` + (SELECT `seconds` FROM `temp`.`zone_offsets` WHERE `from_at` <= `created_at` ORDER BY `from_at` DESC LIMIT 1), 'unixepoch') AS INTEGER)) OVER (PARTITION BY `isp_id` ORDER BY `id`) AS `year`,
	min(`period_start`) OVER (PARTITION BY `subscriber_id` ORDER BY `period_end` GROUPS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS `followed_at` FROM `invoices`) ORDER BY `id`;
--> statement-breakpoint
INSERT INTO `__new_invoices` (`id`, `isp_id`, `subscriber_id`, `package_id`, `package_name`, `amount`, `currency`, `period_start`, `period_end`, `created_at`, `paid_at`, `open`, `seller_id`, `commission`, `commission_at_sale`, `number`, `branch_id`, `area_id`, `followed_at`)
SELECT n.`id`, n.`isp_id`, n.`subscriber_id`, n.`package_id`, n.`package_name`, n.`amount`, n.`currency`, n.`period_start`, n.`period_end`, n.`created_at`, n.`paid_at`, n.`open`, n.`seller_id`, n.`commission`, n.`commission_at_sale`,
	printf('I-%d-%06d', k.`year`, k.`number`), s.`branch_id`, s.`area_id`, k.`followed_at`
FROM `invoices` n JOIN `temp`.`numbered` k ON k.`id` = n.`id` JOIN `subscribers` s ON s.`id` = n.`subscriber_id` ORDER BY n.`id`;
--> statement-breakpoint
DROP TABLE `temp`.`numbered`;
--> statement-breakpoint
DROP TABLE `invoices`;
--> statement-breakpoint
ALTER TABLE `__new_invoices` RENAME TO `invoices`;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_number` ON `invoices` (`isp_id`,`number`);
--> statement-breakpoint
CREATE INDEX `invoices_due` ON `invoices` (`isp_id`,`period_end`,`period_start`,`followed_at`,`branch_id`,`seller_id`) WHERE voided_at IS NULL;
--> statement-breakpoint
CREATE INDEX `invoices_subscriber` ON `invoices` (`subscriber_id`);
--> statement-breakpoint
CREATE INDEX `invoices_unpaid` ON `invoices` (`subscriber_id`) WHERE paid_at IS NULL;
--> statement-breakpoint
CREATE INDEX `invoices_isp_created` ON `invoices` (`isp_id`,`created_at`);
--> statement-breakpoint
INSERT INTO `counters` (`isp_id`, `series`, `year`, `last`)
SELECT `isp_id`, 'I', substr(max(`number`), 3, 4), substr(max(`number`), 8) FROM `invoices` GROUP BY `isp_id`;
--> statement-breakpoint
-- When the next period of a subscriber begins, for who was renewed. What moves a period, or ends its invoice, may change any of them.
CREATE TRIGGER `invoices_followed` AFTER INSERT ON `invoices` WHEN NEW.`period_end` > NEW.`period_start` AND NEW.`voided_at` IS NULL BEGIN
	UPDATE `invoices` SET `followed_at` = NEW.`period_start` WHERE `subscriber_id` = NEW.`subscriber_id` AND `period_end` < NEW.`period_end`
		AND (`followed_at` IS NULL OR `followed_at` > NEW.`period_start`);
	UPDATE `invoices` SET `followed_at` = n.`period_start` FROM (SELECT min(`period_start`) AS `period_start` FROM `invoices`
		WHERE `subscriber_id` = NEW.`subscriber_id` AND `voided_at` IS NULL AND `period_end` > NEW.`period_end` AND `period_end` > `period_start`) n
	WHERE `invoices`.`id` = NEW.`id` AND n.`period_start` IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `invoices_followed_otherwise` AFTER UPDATE OF `period_start`, `period_end`, `voided_at` ON `invoices` BEGIN
	UPDATE `invoices` SET `followed_at` = (SELECT min(n.`period_start`) FROM `invoices` n WHERE n.`subscriber_id` = NEW.`subscriber_id` AND n.`voided_at` IS NULL
		AND n.`period_end` > `invoices`.`period_end` AND n.`period_end` > n.`period_start`) WHERE `subscriber_id` = NEW.`subscriber_id`;
END;
--> statement-breakpoint
CREATE TABLE `__new_ledger_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer,
	`subscriber_id` integer,
	`staff_id` integer,
	`amount` integer NOT NULL,
	`balance_after` integer NOT NULL,
	`kind` text NOT NULL,
	`invoice_id` integer,
	`acting_staff_id` integer,
	`actor` text,
	`created_at` integer NOT NULL,
	`about_id` integer,
	`payment_id` integer,
	`branch_id` integer,
	`area_id` integer,
	`package_id` integer,
	`seller_id` integer,
	`reason` text,
	`day` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`acting_staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`about_id`) REFERENCES `ledger_entries`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_entries_account" CHECK((`subscriber_id` IS NULL) <> (`staff_id` IS NULL)),
	CONSTRAINT "ledger_entries_kind" CHECK(`kind` IN ('opening', 'credit', 'payment', 'transfer', 'activation', 'unused', 'commission', 'void', 'reversal', 'refund', 'adjustment'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_ledger_entries` (`id`, `isp_id`, `subscriber_id`, `staff_id`, `amount`, `balance_after`, `kind`, `invoice_id`, `acting_staff_id`, `actor`, `created_at`, `branch_id`, `area_id`, `package_id`, `seller_id`, `day`)
SELECT e.`id`, e.`isp_id`, e.`subscriber_id`, e.`staff_id`, e.`amount`, e.`balance_after`, e.`kind`, e.`invoice_id`, e.`acting_staff_id`, e.`actor`, e.`created_at`,
	CASE WHEN i.`id` IS NOT NULL THEN i.`branch_id` WHEN s.`id` IS NOT NULL THEN s.`branch_id` ELSE a.`branch_id` END,
	iif(i.`id` IS NOT NULL, i.`area_id`, s.`area_id`), iif(i.`id` IS NOT NULL, i.`package_id`, s.`package_id`),
	CASE WHEN i.`id` IS NOT NULL THEN i.`seller_id` WHEN s.`id` IS NOT NULL THEN s.`salesperson_id` ELSE e.`staff_id` END,
	CAST(strftime('%Y%m%d', e.`created_at` + (SELECT `seconds` FROM `temp`.`zone_offsets` WHERE `from_at` <= e.`created_at` ORDER BY `from_at` DESC LIMIT 1), 'unixepoch') AS INTEGER)
FROM `ledger_entries` e LEFT JOIN `invoices` i ON i.`id` = e.`invoice_id` LEFT JOIN `subscribers` s ON s.`id` = e.`subscriber_id` LEFT JOIN `staff` a ON a.`id` = e.`staff_id` ORDER BY e.`id`;
--> statement-breakpoint
DROP TABLE `ledger_entries`;
--> statement-breakpoint
ALTER TABLE `__new_ledger_entries` RENAME TO `ledger_entries`;
--> statement-breakpoint
CREATE INDEX `ledger_entries_payment` ON `ledger_entries` (`payment_id`) WHERE payment_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `ledger_entries_given` ON `ledger_entries` (`isp_id`,`day`) WHERE kind IN ('void', 'unused', 'adjustment');
--> statement-breakpoint
CREATE INDEX `ledger_entries_subscriber` ON `ledger_entries` (`subscriber_id`);
--> statement-breakpoint
CREATE INDEX `ledger_entries_staff` ON `ledger_entries` (`staff_id`);
--> statement-breakpoint
CREATE INDEX `ledger_entries_invoice` ON `ledger_entries` (`invoice_id`);
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_no_update` BEFORE UPDATE ON `ledger_entries` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_no_delete` BEFORE DELETE ON `ledger_entries` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
INSERT INTO `wallets` SELECT `subscriber_id`, `balance_after` FROM `ledger_entries`
WHERE `id` IN (SELECT max(`id`) FROM `ledger_entries` WHERE `subscriber_id` IS NOT NULL GROUP BY `subscriber_id`);
--> statement-breakpoint
-- Who has no entry has a wallet too, with nothing in it, so that a list by balance has everybody.
INSERT OR IGNORE INTO `wallets` SELECT `id`, 0 FROM `subscribers`;
--> statement-breakpoint
CREATE TRIGGER `subscribers_wallet_opened` AFTER INSERT ON `subscribers` BEGIN INSERT OR IGNORE INTO `wallets` VALUES (NEW.`id`, 0); END;
--> statement-breakpoint
INSERT INTO `ledger_days` (`day`, `isp_id`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `account`, `kind`, `method`, `reached`, `entries`, `amount`)
SELECT `day`, coalesce(`isp_id`, 0), coalesce(`branch_id`, 0), coalesce(`area_id`, 0), coalesce(`package_id`, 0), coalesce(`seller_id`, 0), coalesce(`acting_staff_id`, 0),
	iif(`subscriber_id` IS NULL, 'staff', 'subscriber'), `kind`, '', 0, count(*), sum(`amount`)
FROM `ledger_entries` GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
--> statement-breakpoint
INSERT INTO `ledger_months` (`month`, `isp_id`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `account`, `kind`, `method`, `reached`, `entries`, `amount`)
SELECT `day` / 100, `isp_id`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `account`, `kind`, `method`, `reached`, sum(`entries`), sum(`amount`) FROM `ledger_days` GROUP BY `day` / 100, `isp_id`, `branch_id`, `area_id`, `package_id`, `seller_id`, `staff_id`, `account`, `kind`, `method`, `reached`;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_summed` AFTER INSERT ON `ledger_entries` BEGIN
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
-- What is owed lies on the newest charges; of those without an invoice it is written down too.
INSERT INTO `open_charges` (`subscriber_id`, `entry_id`, `open`)
SELECT `subscriber_id`, `id`, min(`charge`, `rest`) FROM (
	SELECT `subscriber_id`, `id`, `invoice_id`, max(0, -`amount`) AS `charge`,
		max(0, -sum(`amount`) OVER (PARTITION BY `subscriber_id`)) - sum(max(0, -`amount`)) OVER (PARTITION BY `subscriber_id` ORDER BY `id` DESC) + max(0, -`amount`) AS `rest`
	FROM `ledger_entries` WHERE `subscriber_id` IN (SELECT `subscriber_id` FROM `wallets` WHERE `balance` < 0)
) WHERE `invoice_id` IS NULL AND `charge` > 0 AND `rest` > 0;
--> statement-breakpoint
-- Search: any three characters of these. Telephone numbers are their digits, a MAC address is there without colons too.
CREATE VIRTUAL TABLE `subscriber_search` USING fts5(`name`, `username`, `phone`, `nic`, `address`, `box`, `mac`, `static_ip`, `email`, content='', contentless_delete=1, tokenize="trigram remove_diacritics 1");
--> statement-breakpoint
INSERT INTO `subscriber_search` (`rowid`, `name`, `username`, `phone`, `nic`, `address`, `box`, `mac`, `static_ip`, `email`) SELECT s.`id`, s.`name`, s.`username`, replace(replace(replace(replace(replace(replace(replace(coalesce(s.`mobile_number`, ''), ' ', ''), '-', ''), '(', ''), ')', ''), '+', ''), '.', ''), '/', '') || ' ' || replace(replace(replace(replace(replace(replace(replace(coalesce(s.`phone_number`, ''), ' ', ''), '-', ''), '(', ''), ')', ''), '+', ''), '.', ''), '/', ''), s.`nic_number`, s.`address`, coalesce(s.`box_number`, '') || ' ' || coalesce(s.`box_address`, ''), s.`mac_address` || ' ' || replace(s.`mac_address`, ':', ''), s.`static_ip`, s.`email` FROM `subscribers` s;
--> statement-breakpoint
CREATE TRIGGER `subscribers_search_inserted` AFTER INSERT ON `subscribers` BEGIN INSERT INTO `subscriber_search` (`rowid`, `name`, `username`, `phone`, `nic`, `address`, `box`, `mac`, `static_ip`, `email`) VALUES (NEW.`id`, NEW.`name`, NEW.`username`, replace(replace(replace(replace(replace(replace(replace(coalesce(NEW.`mobile_number`, ''), ' ', ''), '-', ''), '(', ''), ')', ''), '+', ''), '.', ''), '/', '') || ' ' || replace(replace(replace(replace(replace(replace(replace(coalesce(NEW.`phone_number`, ''), ' ', ''), '-', ''), '(', ''), ')', ''), '+', ''), '.', ''), '/', ''), NEW.`nic_number`, NEW.`address`, coalesce(NEW.`box_number`, '') || ' ' || coalesce(NEW.`box_address`, ''), NEW.`mac_address` || ' ' || replace(NEW.`mac_address`, ':', ''), NEW.`static_ip`, NEW.`email`); END;
--> statement-breakpoint
CREATE TRIGGER `subscribers_search_updated` AFTER UPDATE OF `name`, `username`, `mobile_number`, `phone_number`, `nic_number`, `address`, `box_number`, `box_address`, `mac_address`, `static_ip`, `email` ON `subscribers` WHEN NEW.`name` IS NOT OLD.`name` OR NEW.`username` IS NOT OLD.`username` OR NEW.`mobile_number` IS NOT OLD.`mobile_number` OR NEW.`phone_number` IS NOT OLD.`phone_number` OR NEW.`nic_number` IS NOT OLD.`nic_number` OR NEW.`address` IS NOT OLD.`address` OR NEW.`box_number` IS NOT OLD.`box_number` OR NEW.`box_address` IS NOT OLD.`box_address` OR NEW.`mac_address` IS NOT OLD.`mac_address` OR NEW.`static_ip` IS NOT OLD.`static_ip` OR NEW.`email` IS NOT OLD.`email` BEGIN INSERT OR REPLACE INTO `subscriber_search` (`rowid`, `name`, `username`, `phone`, `nic`, `address`, `box`, `mac`, `static_ip`, `email`) VALUES (NEW.`id`, NEW.`name`, NEW.`username`, replace(replace(replace(replace(replace(replace(replace(coalesce(NEW.`mobile_number`, ''), ' ', ''), '-', ''), '(', ''), ')', ''), '+', ''), '.', ''), '/', '') || ' ' || replace(replace(replace(replace(replace(replace(replace(coalesce(NEW.`phone_number`, ''), ' ', ''), '-', ''), '(', ''), ')', ''), '+', ''), '.', ''), '/', ''), NEW.`nic_number`, NEW.`address`, coalesce(NEW.`box_number`, '') || ' ' || coalesce(NEW.`box_address`, ''), NEW.`mac_address` || ' ' || replace(NEW.`mac_address`, ':', ''), NEW.`static_ip`, NEW.`email`); END;
--> statement-breakpoint
CREATE TRIGGER `subscribers_search_deleted` AFTER DELETE ON `subscribers` BEGIN DELETE FROM `subscriber_search` WHERE `rowid` = OLD.`id`; END;
