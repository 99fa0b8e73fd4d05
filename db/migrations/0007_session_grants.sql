ALTER TABLE `sessions` ADD `accepted_as` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `granted_terms` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `granted_rate` integer;
