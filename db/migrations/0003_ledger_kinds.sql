PRAGMA foreign_keys=OFF;--> statement-breakpoint
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
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`acting_staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_entries_account" CHECK(("__new_ledger_entries"."subscriber_id" IS NULL) <> ("__new_ledger_entries"."staff_id" IS NULL)),
	CONSTRAINT "ledger_entries_kind" CHECK("__new_ledger_entries"."kind" IN ('opening', 'credit', 'payment', 'transfer', 'activation', 'unused', 'commission', 'void', 'reversal', 'refund', 'adjustment'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_ledger_entries`("id", "isp_id", "subscriber_id", "staff_id", "amount", "balance_after", "kind", "invoice_id", "acting_staff_id", "actor", "created_at") SELECT "id", "isp_id", "subscriber_id", "staff_id", "amount", "balance_after", "kind", "invoice_id", "acting_staff_id", NULL, "created_at" FROM `ledger_entries`;--> statement-breakpoint
DROP TABLE `ledger_entries`;--> statement-breakpoint
ALTER TABLE `__new_ledger_entries` RENAME TO `ledger_entries`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `ledger_entries_subscriber` ON `ledger_entries` (`subscriber_id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_staff` ON `ledger_entries` (`staff_id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_invoice` ON `ledger_entries` (`invoice_id`);--> statement-breakpoint
-- written by hand
CREATE TRIGGER `ledger_entries_no_update` BEFORE UPDATE ON `ledger_entries` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_no_delete` BEFORE DELETE ON `ledger_entries` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
