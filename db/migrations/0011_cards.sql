CREATE TABLE `card_batches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`branch_id` integer,
	`kind` text NOT NULL,
	`package_id` integer,
	`quantity` integer NOT NULL,
	`prefix` text DEFAULT '' NOT NULL,
	`length` integer,
	`alphabet` text,
	`price` integer NOT NULL,
	`reseller_id` integer,
	`reseller_price` integer,
	`charge_on` text,
	`needs_sale` integer DEFAULT 0 NOT NULL,
	`sell_by` integer,
	`use_by` integer,
	`duration` integer,
	`duration_unit` text,
	`uptime_seconds` integer,
	`quota_total` integer DEFAULT 0 NOT NULL,
	`rate_limit` text,
	`quota_exceeded` text DEFAULT 'reject' NOT NULL,
	`framed_pool` text,
	`framed_ipv6_pool` text,
	`delegated_ipv6_pool` text,
	`address_list` text,
	`expired_pool` text,
	`expired_address_list` text,
	`simultaneous_use` integer DEFAULT 1 NOT NULL,
	`idle_timeout` integer,
	`lock_first_device` integer DEFAULT 0 NOT NULL,
	`offline` integer DEFAULT 1 NOT NULL,
	`note` text,
	`origin` text,
	`created_at` integer NOT NULL,
	`created_by` integer,
	`actor` text,
	`voided_at` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`branch_id`) REFERENCES `branches`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reseller_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "card_batches_kind" CHECK("card_batches"."kind" IN ('access', 'refill', 'package')),
	CONSTRAINT "card_batches_package" CHECK(("card_batches"."kind" = 'refill') = ("card_batches"."package_id" IS NULL)),
	CONSTRAINT "card_batches_ranges" CHECK("card_batches"."quantity" > 0 AND "card_batches"."price" >= 0 AND "card_batches"."quota_total" >= 0),
	CONSTRAINT "card_batches_charge" CHECK(("card_batches"."reseller_id" IS NULL) = ("card_batches"."charge_on" IS NULL)),
	CONSTRAINT "card_batches_flags" CHECK("card_batches"."needs_sale" IN (0, 1) AND "card_batches"."lock_first_device" IN (0, 1) AND "card_batches"."offline" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX `card_batches_isp` ON `card_batches` (`isp_id`,`kind`);--> statement-breakpoint
CREATE INDEX `card_batches_reseller` ON `card_batches` (`reseller_id`) WHERE reseller_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `card_batches_package` ON `card_batches` (`package_id`);--> statement-breakpoint
CREATE TABLE `card_counts` (
	`batch_id` integer PRIMARY KEY NOT NULL,
	`sold` integer NOT NULL,
	`active` integer NOT NULL,
	`void` integer NOT NULL,
	`unending` integer NOT NULL,
	`unending_used_up` integer NOT NULL,
	`last_end` integer NOT NULL,
	FOREIGN KEY (`batch_id`) REFERENCES `card_batches`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `card_days` (
	`isp_id` integer NOT NULL,
	`day` integer NOT NULL,
	`branch_id` integer NOT NULL,
	`kind` text NOT NULL,
	`package_id` integer NOT NULL,
	`price` integer NOT NULL,
	`part` integer NOT NULL,
	`reseller_id` integer NOT NULL,
	`seller_id` integer NOT NULL,
	`sold` integer NOT NULL,
	`used` integer NOT NULL,
	`void` integer NOT NULL,
	`returned` integer NOT NULL,
	PRIMARY KEY(`isp_id`, `day`, `branch_id`, `kind`, `package_id`, `price`, `part`, `reseller_id`, `seller_id`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `card_templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	`sheet` text NOT NULL,
	`fields` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `card_templates_isp` ON `card_templates` (`isp_id`);--> statement-breakpoint
CREATE TABLE `cards` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`batch_id` integer NOT NULL,
	`serial` integer NOT NULL,
	`code_key` blob NOT NULL,
	`code_sealed` blob NOT NULL,
	`state` text DEFAULT 'new' NOT NULL,
	`sold_at` integer,
	`sold_by` integer,
	`sale_payment_id` integer,
	`first_used_at` integer,
	`ends_at` integer,
	`used_seconds` integer DEFAULT 0 NOT NULL,
	`used_octets` integer DEFAULT 0 NOT NULL,
	`used_up_at` integer,
	`locked_mac` text,
	`redeemed_by` integer,
	`charged_at` integer,
	`voided_at` integer,
	`voided_by` integer,
	`void_reason` text,
	FOREIGN KEY (`batch_id`) REFERENCES `card_batches`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sold_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sale_payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`redeemed_by`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`voided_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "cards_state" CHECK("cards"."state" IN ('new', 'sold', 'active', 'void'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `cards_code` ON `cards` (`code_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `cards_serial` ON `cards` (`batch_id`,`serial`);--> statement-breakpoint
CREATE INDEX `cards_state` ON `cards` (`batch_id`,`state`,`serial`,`ends_at`,`used_up_at`);--> statement-breakpoint
CREATE INDEX `cards_sold` ON `cards` (`batch_id`,`sold_at`) WHERE sold_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `cards_seller` ON `cards` (`sold_by`,`batch_id`,`sold_at`,`state`,`ends_at`,`used_up_at`) WHERE sold_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `cards_voider` ON `cards` (`voided_by`) WHERE voided_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `cards_redeemed` ON `cards` (`redeemed_by`) WHERE redeemed_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `cards_uncharged` ON `cards` (`id`) WHERE first_used_at IS NOT NULL AND charged_at IS NULL;--> statement-breakpoint
CREATE INDEX `cards_ends` ON `cards` (`batch_id`,`ends_at`,`used_up_at`) WHERE state = 'active' AND ends_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `batch_id` integer REFERENCES card_batches(id);--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `card_id` integer REFERENCES cards(id);--> statement-breakpoint
ALTER TABLE `ledger_entries` DROP CONSTRAINT "ledger_entries_kind";--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD CONSTRAINT "ledger_entries_kind" CHECK(`kind` IN ('opening', 'credit', 'payment', 'transfer', 'activation', 'unused', 'commission', 'void', 'reversal', 'refund', 'adjustment', 'history', 'card'));--> statement-breakpoint
CREATE INDEX `ledger_entries_batch` ON `ledger_entries` (`batch_id`) WHERE batch_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `auth_log` ADD `card_id` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `card_id` integer REFERENCES cards(id);--> statement-breakpoint
ALTER TABLE `sessions` ADD `card_id` integer REFERENCES cards(id);--> statement-breakpoint
CREATE INDEX `sessions_card` ON `sessions` (`card_id`,`started_at`) WHERE card_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_open_card` ON `sessions` (`card_id`) WHERE stopped_at IS NULL AND card_id IS NOT NULL;--> statement-breakpoint
INSERT OR IGNORE INTO `permission_flags` (`name`) VALUES ('card_view'), ('card_make'), ('card_sell'), ('card_void');
--> statement-breakpoint
-- What the access thread keeps of batches, until one is made or changed.
INSERT INTO `generations` (`name`, `value`) VALUES ('cards', 0);
--> statement-breakpoint
CREATE TRIGGER `card_batches_inserted` AFTER INSERT ON `card_batches` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'cards'; END;
--> statement-breakpoint
CREATE TRIGGER `card_batches_updated` AFTER UPDATE ON `card_batches` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'cards'; END;
--> statement-breakpoint
CREATE TRIGGER `card_batches_deleted` AFTER DELETE ON `card_batches` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'cards'; END;
--> statement-breakpoint
-- A card is mostly made new, which is not counted.
CREATE TRIGGER `cards_counted` AFTER INSERT ON `cards` WHEN NEW.`state` <> 'new' BEGIN
	INSERT INTO `card_counts` (`batch_id`, `sold`, `active`, `void`, `unending`, `unending_used_up`, `last_end`)
	VALUES (NEW.`batch_id`, (NEW.`state` = 'sold'),
		(NEW.`state` = 'active'),
		(NEW.`state` = 'void'),
		(NEW.`state` = 'active' AND NEW.`ends_at` IS NULL AND NEW.`used_up_at` IS NULL),
		(NEW.`state` = 'active' AND NEW.`ends_at` IS NULL AND NEW.`used_up_at` IS NOT NULL),
		coalesce(NEW.`ends_at`, 0))
	ON CONFLICT DO UPDATE SET `sold` = `sold` + excluded.`sold`, `active` = `active` + excluded.`active`, `void` = `void` + excluded.`void`,
		`unending` = `unending` + excluded.`unending`, `unending_used_up` = `unending_used_up` + excluded.`unending_used_up`,
		`last_end` = max(`last_end`, excluded.`last_end`);
END;
--> statement-breakpoint
CREATE TRIGGER `cards_counted_otherwise` AFTER UPDATE OF `state`, `ends_at`, `used_up_at` ON `cards` BEGIN
	INSERT INTO `card_counts` (`batch_id`, `sold`, `active`, `void`, `unending`, `unending_used_up`, `last_end`)
	VALUES (NEW.`batch_id`, (NEW.`state` = 'sold') - (OLD.`state` = 'sold'),
		(NEW.`state` = 'active') - (OLD.`state` = 'active'),
		(NEW.`state` = 'void') - (OLD.`state` = 'void'),
		(NEW.`state` = 'active' AND NEW.`ends_at` IS NULL AND NEW.`used_up_at` IS NULL) - (OLD.`state` = 'active' AND OLD.`ends_at` IS NULL AND OLD.`used_up_at` IS NULL),
		(NEW.`state` = 'active' AND NEW.`ends_at` IS NULL AND NEW.`used_up_at` IS NOT NULL) - (OLD.`state` = 'active' AND OLD.`ends_at` IS NULL AND OLD.`used_up_at` IS NOT NULL),
		coalesce(NEW.`ends_at`, 0))
	ON CONFLICT DO UPDATE SET `sold` = `sold` + excluded.`sold`, `active` = `active` + excluded.`active`, `void` = `void` + excluded.`void`,
		`unending` = `unending` + excluded.`unending`, `unending_used_up` = `unending_used_up` + excluded.`unending_used_up`,
		`last_end` = max(`last_end`, excluded.`last_end`);
END;
