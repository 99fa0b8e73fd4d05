ALTER TABLE `nas` ADD `dual_stack` text DEFAULT 'whole' NOT NULL;
