import { testPages } from "./every-page.ts";

testPages(1, 3);
