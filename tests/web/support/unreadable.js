/**
 * What is wrong with the face-up cards on the table: too small, covered, pale, or an index under a mark. An index is the rank
 * over the suit, in two corners of a card: one of them has to be in view, and no mark may lie on either that is.
 */
({ card: least, tile: leastTile, letters: leastLetters, contrast: leastContrast, pale }) => {
  /** Where boxes are looked at, in both directions, as parts of their size. */
  const PARTS = [0.04, 0.27, 0.5, 0.73, 0.96];
  const CARDS = ".play :is(.card, .tile)";
  const HOSTS = `.play :is(.card, .tile, .spot, .place, .hand-card)`;
  /** The height of capital letters as a part of their size. */
  const CAPITALS = 0.73;

  const touchable = new CSSStyleSheet(); // what has just appeared takes no click for a moment, and would not be found
  touchable.replaceSync("* { pointer-events: auto !important; }");
  document.adoptedStyleSheets.push(touchable);

  const faults = new Set();
  const shown = each => each.checkVisibility({ visibilityProperty: true });
  const cards = [...document.querySelectorAll(CARDS)].filter(each => shown(each) && each.querySelector(".card-rank, .tile-pip, .tile-number"));

  /** The box of a rank or suit in the drawing, without the room above letters. */
  function glyph(shape) {
    const { x, y, width, height } = shape.getBBox();
    if (shape.localName !== "text") return { x, y, width, height };
    const size = parseFloat(getComputedStyle(shape).fontSize) * CAPITALS;
    return { x, width, y: Number(shape.getAttribute("y")) - size, height: size };
  }

  function pointsOf(shape) {
    const [{ x, y, width, height }, matrix] = [glyph(shape), shape.getScreenCTM()];
    return PARTS.flatMap(down => PARTS.map(right => new DOMPoint(x + right * width, y + down * height).matrixTransform(matrix)));
  }

  function lettersOf(rank) {
    const { a, b, c, d } = rank.getScreenCTM();
    return (glyph(rank).height / CAPITALS) * Math.sqrt(Math.abs(a * d - b * c));
  }

  /** The indices that are drawn. */
  function indicesOf(card) {
    return [...card.querySelectorAll(".card-rank, .tile-number")].filter(shown).map(rank => {
      const suit = rank.nextElementSibling?.localName === "path" ? [rank.nextElementSibling] : [];
      return { card, rank, points: [rank, ...suit].flatMap(pointsOf) };
    });
  }

  /** What lies over a card at a point; what glows over a whole zone hides nothing. */
  function over(card, { x, y }) {
    const [first] = document.elementsFromPoint(x, y).filter(each => !each.classList.contains("spot-area"));
    return first && card.contains(first) ? null : (first?.closest("[class]")?.getAttribute("class") ?? "the edge");
  }

  const isOpen = ({ card, points }) => points.every(point => over(card, point) === null);

  function nameOf(card) {
    const zone = card.closest(".zone, .hand, .option, [data-key^=zones]");
    return `${card.dataset.code ?? card.ariaLabel} in ${zone?.dataset.key ?? zone?.className}`;
  }

  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  function paint(colour, opacity) {
    canvas.globalAlpha = opacity;
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map(each => each / 255)
      .map(each => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrastOf({ card, rank }) {
    const style = getComputedStyle(rank);
    let opacity = 1;
    for (let each = rank; each; each = each.parentElement) opacity *= Number(getComputedStyle(each).opacity);
    const paper = paint(getComputedStyle(card.querySelector(".card-paper")).fill, 1);
    const ink = paint(style.fill === "none" ? style.stroke : style.fill, opacity);
    return (Math.max(paper, ink) + 0.05) / (Math.min(paper, ink) + 0.05);
  }

  /** Its index that can be read; the page and the hand are scrolled to it if they have to be. */
  function readable(card) {
    const open = indicesOf(card).filter(isOpen);
    if (open.length) return open;
    card.scrollIntoView({ block: "nearest", inline: "nearest" });
    return indicesOf(card).filter(isOpen).map(index => ({ ...index, isScrolled: true }));
  }

  /** Marks that are drawn before or after the content of an element. */
  function drawnMarks() {
    return [...document.querySelectorAll(HOSTS)].filter(shown).flatMap(host => ["::before", "::after"].flatMap(which => {
      const style = getComputedStyle(host, which);
      if (["none", "normal"].includes(style.content) || style.position !== "absolute") return [];
      const [box, of] = [host.getBoundingClientRect(), name => parseFloat(style[name])];
      const corners = style.clipPath.match(/[\d.]+% [\d.]+%|[\d.]+% [\d.]+px|[\d.]+px [\d.]+%|[\d.]+px [\d.]+px/g);
      const polygon = corners?.map(each => each.split(" ").map(part => parseFloat(part) / 100));
      const [left, top] = [box.left + host.clientLeft + of("left"), box.top + host.clientTop + of("top")];
      return [{ host, name: `${host.className}${which}`, isRaised: style.zIndex !== "auto", left, top, width: of("width"), height: of("height"), polygon }];
    }));
  }

  /** Elements that are marks. */
  function elementMarks() {
    return [...document.querySelectorAll(".play .order")].filter(shown).map(host => {
      const { left, top, width, height } = host.getBoundingClientRect();
      return { host, name: host.className, isRaised: true, left, top, width, height, polygon: undefined };
    });
  }

  function isWithin(polygon, x, y) {
    return polygon.reduce((is, [px, py], n) => {
      const [qx, qy] = polygon.at(n - 1);
      return py > y !== qy > y && x < ((qx - px) * (y - py)) / (qy - py) + px ? !is : is;
    }, false);
  }

  function liesOn({ host, isRaised, left, top, width, height, polygon }, { card, points }) {
    if (!isRaised && host !== card && !host.contains(card)) return false; // cards that follow lie above it
    return points.some(({ x, y }) => {
      const [right, down] = [(x - left) / width, (y - top) / height];
      return right > 0 && right < 1 && down > 0 && down < 1 && (!polygon || isWithin(polygon, right, down));
    });
  }

  const open = [];
  for (const card of cards) {
    const isTile = card.classList.contains("tile");
    const { width, height } = card.getBoundingClientRect();
    const side = card.classList.contains("is-sideways") || isTile ? Math.min(width, height) : width;
    if (side < (isTile ? leastTile : least) - 0.5) faults.add(`${nameOf(card)}: ${Math.round(side)} px wide`);
    const found = readable(card);
    open.push(...found.filter(({ isScrolled }) => !isScrolled));
    if (!found.length && indicesOf(card).length) faults.add(`${nameOf(card)}: under ${indicesOf(card)[0].points.map(point => over(card, point)).find(Boolean)}`);
    if (isTile) continue;
    for (const index of found) {
      const [letters, contrast] = [lettersOf(index.rank), contrastOf(index)];
      if (letters < leastLetters - 0.1) faults.add(`${nameOf(card)}: letters of ${letters.toFixed(1)} px`);
      if (contrast < (card.closest(".ghost") ? pale : leastContrast)) faults.add(`${nameOf(card)}: a contrast of ${contrast.toFixed(2)}`);
    }
  }
  scrollTo(0, 0);

  function lookAtMarks() {
    for (const mark of [...drawnMarks(), ...elementMarks()]) {
      for (const index of open) if (liesOn(mark, index)) faults.add(`${nameOf(index.card)}: under the mark ${mark.name}`);
    }
  }
  lookAtMarks();
  const known = cards.filter(each => !each.classList.contains("fresh"));
  for (const each of known) each.classList.add("fresh"); // as if all of them were new
  lookAtMarks();
  for (const each of known) each.classList.remove("fresh");
  document.adoptedStyleSheets.pop();
  return [...faults];
};
