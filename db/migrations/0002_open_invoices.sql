ALTER TABLE `invoices` ADD `open` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `invoices` ADD `seller_id` integer REFERENCES staff(id);--> statement-breakpoint
ALTER TABLE `invoices` ADD `commission` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `invoices` ADD `commission_at_sale` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `services` ADD `anchor_day` integer;--> statement-breakpoint
ALTER TABLE `services` ADD `anchor_time` integer;
--> statement-breakpoint
-- written by hand
-- What is owed lies on the newest charges. Money pays the oldest charge first, so one was covered by the first entry after
-- which all that had come in (`paid`) reached all that had been charged up to it (`due`); one over nothing by its own.
UPDATE `invoices` SET
	`open` = `placed`.`open`,
	`paid_at` = CASE WHEN `placed`.`open` > 0 THEN NULL ELSE coalesce(`invoices`.`paid_at`, (SELECT `created_at` FROM `ledger_entries` WHERE `id` = `placed`.`covered_by`)) END
FROM (
	SELECT `invoice_id`, max(0, min(`charge`, `owed` - (`charged` - `due`))) AS `open`, max(`id`, CASE WHEN `charge` > 0 THEN coalesce(`reached_by`, 0) ELSE 0 END) AS `covered_by`
	FROM (
		SELECT *, min(CASE WHEN NOT `is_charge` THEN `id` END) OVER (PARTITION BY `subscriber_id` ORDER BY CASE WHEN `is_charge` THEN `due` ELSE `paid` END DESC) AS `reached_by`
		FROM (
			SELECT `id`, `subscriber_id`, `invoice_id`, max(0, -`amount`) AS `charge`, `amount` < 0 OR `kind` = 'activation' AS `is_charge`,
				sum(max(0, -`amount`)) OVER `upto` AS `due`, sum(max(0, `amount`)) OVER `upto` AS `paid`,
				sum(max(0, -`amount`)) OVER `whole` AS `charged`, max(0, -sum(`amount`) OVER `whole`) AS `owed`
			FROM `ledger_entries` WHERE `subscriber_id` IS NOT NULL
			WINDOW `upto` AS (PARTITION BY `subscriber_id` ORDER BY `id`), `whole` AS (PARTITION BY `subscriber_id`)
		)
	)
	WHERE `is_charge` AND `invoice_id` IS NOT NULL
) AS `placed`
WHERE `invoices`.`id` = `placed`.`invoice_id`;
--> statement-breakpoint
-- Commission was booked with the sale, settled or not. It stays as it was booked.
UPDATE `invoices` SET `seller_id` = `booked`.`staff_id`, `commission` = `booked`.`amount`, `commission_at_sale` = 1
FROM (SELECT `invoice_id`, `staff_id`, sum(`amount`) AS `amount` FROM `ledger_entries` WHERE `kind` = 'commission' AND `invoice_id` IS NOT NULL GROUP BY `invoice_id`) AS `booked`
WHERE `invoices`.`id` = `booked`.`invoice_id`;
