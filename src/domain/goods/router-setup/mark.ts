export const MARK = "gatehouse";
