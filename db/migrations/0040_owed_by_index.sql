DROP INDEX `invoices_unpaid`;--> statement-breakpoint
CREATE INDEX `invoices_unpaid` ON `invoices` (`subscriber_id`,`open`,`created_at`) WHERE paid_at IS NULL;
