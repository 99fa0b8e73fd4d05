ALTER TABLE `nas` ADD `garden_profiles` text;
