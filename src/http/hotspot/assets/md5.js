// MD5 (RFC 1321) of a string whose characters are bytes, as 32 hexadecimal digits.
window.md5 = (() => {
  const sines = [];
  for (let i = 0; i < 64; i++) sines.push(Math.floor(Math.abs(Math.sin(i + 1)) * 4294967296) | 0);
  const shifts = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
  ];
  const mixes = [
    (b, c, d) => (b & c) | (~b & d),
    (b, c, d) => (b & d) | (c & ~d),
    (b, c, d) => b ^ c ^ d,
    (b, c, d) => c ^ (b | ~d),
  ];
  const places = [(i) => i, (i) => 5 * i + 1, (i) => 3 * i + 5, (i) => 7 * i];

  const wordsOf = (bytes) => {
    const words = [];
    const length = (((bytes.length + 8) >> 6) + 1) * 16;
    for (let i = 0; i < length; i++) words.push(0);
    for (let i = 0; i < bytes.length; i++) words[i >> 2] |= (bytes.charCodeAt(i) & 255) << ((i % 4) * 8);
    words[bytes.length >> 2] |= 128 << ((bytes.length % 4) * 8);
    words[length - 2] = bytes.length * 8;
    return words;
  };

  const hex = (word) => {
    let text = "";
    for (let i = 0; i < 4; i++) text += `0${((word >>> (i * 8)) & 255).toString(16)}`.slice(-2);
    return text;
  };

  return (bytes) => {
    const words = wordsOf(bytes);
    let state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
    for (let at = 0; at < words.length; at += 16) {
      let [a, b, c, d] = state;
      for (let i = 0; i < 64; i++) {
        const round = i >> 4;
        const sum = (a + mixes[round](b, c, d) + sines[i] + words[at + (places[round](i) % 16)]) | 0;
        const shift = shifts[round][i % 4];
        [a, b, c, d] = [d, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0, b, c];
      }
      state = [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0];
    }
    return state.map(hex).join("");
  };
})();
