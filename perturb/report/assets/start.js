
// Start: theme and buttons at once, flips and matrix when the rows are unpacked.
startTheme();
startCopying();
if ($("#explorer")) {
  unpacked($("#data").textContent).then((data) => {
    $("#explorer").hidden = false;
    $("#unscripted").remove();
    startFlips(data, startMatrix(data));
    document.documentElement.dataset.ready = "";
  }, (error) => {
    $("#unscripted").textContent = `The flips can't be unpacked here (${error.message}): this browser is too old.`;
  });
} else {
  document.documentElement.dataset.ready = "";
}
