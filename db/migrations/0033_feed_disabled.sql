ALTER TABLE `feeds` ADD `disabled_at` integer;
