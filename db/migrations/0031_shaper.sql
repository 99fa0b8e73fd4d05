ALTER TABLE `nas` ADD `shaper` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `nas` ADD `shaper_leases` integer DEFAULT 0 NOT NULL;
